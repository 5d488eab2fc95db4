"""The world of movies: people, companies, casts and crews."""
