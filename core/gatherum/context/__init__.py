"""What an assistant is told without asking: the role that holds, and passages beside a prompt."""
