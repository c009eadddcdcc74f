/** Matches up to the last "@", so that a password that contains one is hidden completely. */
const CREDENTIALS = /^([a-z]+:\/\/)([^:@/]*)(?::.*)?@/i;
const SECRET_PARAMETERS = /([?&](?:password|sslpassword|sslkey)=)[^&]*/gi;

/** Returns a database URL without its password, for display. Text that is not a URL is returned unchanged. */
export function redactUrl(url: string): string {
  return url.replace(CREDENTIALS, '$1$2:***@').replace(SECRET_PARAMETERS, '$1***');
}
