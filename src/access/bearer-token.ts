const BEARER = /^bearer(?:\s+(.*))?$/is;

/**
 * Returns the credential of a Bearer header; null without a header, for another scheme and for an empty
 * credential.
 */
export function bearerToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  const bearer = BEARER.exec(header)?.[1]?.trim();
  return bearer === undefined || bearer === '' ? null : bearer;
}
