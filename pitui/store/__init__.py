"""What is kept on disk: settings, drafts, earlier prompts; safe against a crash at any moment."""
