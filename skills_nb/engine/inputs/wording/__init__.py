"""What a person's words say of an input: rows, moments, counts, texts, schedules, places."""
