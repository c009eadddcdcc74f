/** Greedy up to the last "@", so that a password holding one stays hidden, whatever else is hidden with it. */
const CREDENTIALS = /^([a-z]+:\/\/)([^:@/]*)(?::.*)?@/i;
const SECRET_PARAMETERS = /([?&](?:password|sslpassword|sslkey)=)[^&]*/gi;

/** A database's address without its password, to be shown. What is no address with a host comes back as it is. */
export function redactUrl(url: string): string {
  return url.replace(CREDENTIALS, '$1$2:***@').replace(SECRET_PARAMETERS, '$1***');
}
