/** The permission bits of files that hold content, hashes of passwords or tokens: nobody else reads them. */
export const OWNER_ONLY = 0o600;

/** The same of folders. */
export const OWNER_ONLY_FOLDER = 0o700;
