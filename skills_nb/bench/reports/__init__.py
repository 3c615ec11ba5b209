"""What a run says: results, report, summary, page, and the comparison of two.

Room: work (bench). Pure but for writing: the same results make the same files, byte by byte; time
and machine stand in the manifest only.
"""
