"""Python loads this first when its folder is on the path: its name is Python's, not ours.

See https://docs.python.org/3/library/site.html
"""

import windows_double

windows_double.put_up()
