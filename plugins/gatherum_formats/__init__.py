"""Built-in format plugins, one module per family; modules that start with an underscore are shared by several."""
