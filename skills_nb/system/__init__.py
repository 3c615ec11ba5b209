"""What Linux, macOS and Windows do each in their own way, behind one name each.

Room: none; it stands near the ground, for every room that touches files or processes.

- `file_locks`: a lock of a file, which the kernel frees when its process dies
- `plain_files`: files opened, read and put in place; who else may read them
- `processes`: whether a process lives, and how it ends with what it began
"""
