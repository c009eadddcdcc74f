/** A remote server, as a project stores it. */
export interface Remote {
  readonly name: string;
  /** The address of its API, without a slash at its end: `https://cms.example.com/api`. */
  readonly url: string;
  /** Null: the environment has it, or nobody. */
  readonly token: string | null;
}

/** The environment variable that holds the token of a remote: `CMS_REMOTE_PRODUCTION_TOKEN`. */
export function tokenVariable(name: string): string {
  return `CMS_REMOTE_${name.toUpperCase().replaceAll('-', '_')}_TOKEN`;
}
