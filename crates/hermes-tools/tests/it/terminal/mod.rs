mod terminal;
