"""A club's logo: uploaded by an owner, drawn again, shown on the club's page, on PDFs and on the pictures of links."""
