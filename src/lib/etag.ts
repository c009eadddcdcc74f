/** True if `If-None-Match` names a digest. They compare equal whether or not a proxy weakened them. */
export function isKnownEtag(known: string | undefined, etag: string): boolean {
  if (known === undefined) return false;
  return known === etag || known.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
}
