"""The checks behind an Objective: matching of calls, states, facts, questions and consent."""
