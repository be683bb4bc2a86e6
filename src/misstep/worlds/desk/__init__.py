"""`world:desk`: one person's files, shell, mail, calendar, contacts, web pages, password vault and tasks."""
