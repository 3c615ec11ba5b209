"""The agents' door: threads driven over the Model Context Protocol, on the same guard rails.

Room: doors (mcp). Rules: each tool parses, makes one call and shows one view; what a person must
decide is refused in clear words; an agent neither writes SQL nor types a confirmation phrase. The
official SDK loads when the server starts.
"""
