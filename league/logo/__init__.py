"""A club's logo: uploaded by an owner, written anew, shown on the club's page, on PDFs and on the pictures of links."""
