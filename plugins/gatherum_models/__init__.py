"""Built-in embedding models, one package each."""
