import { createError } from '../../errors/catalogue.js';

const LOCAL_HOSTS = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|.*\.localhost)$/;
const NAME = /^[a-z][a-z0-9-]{0,40}$/i;

/** @throws `remote/invalid-name` */
export function assertRemoteName(name: string): void {
  if (!NAME.test(name)) throw createError('remote/invalid-name', { name });
}

/**
 * Returns the addresses at which the API of a server may be, the likeliest first: an address without a path
 * is that of the server, whose API has the prefix `/api` unless it is configured otherwise.
 *
 * @throws `remote/invalid-address`
 */
export function apiAddresses(address: string): readonly [string, ...string[]] {
  const invalid = (reason: string): Error =>
    createError('remote/invalid-address', { address: address.replace(/\/\/.*@/, '//***@'), reason });
  if (!URL.canParse(address)) throw invalid('it is no URL');
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw invalid('it must begin with https://');
  if (url.username !== '' || url.password !== '') throw invalid('it holds a password');
  if (url.search !== '' || url.hash !== '') throw invalid('it has more than a host and a path');
  const path = url.pathname.replace(/\/+$/, '');
  const own = `${url.origin}${path}`;
  return path === '' ? [`${own}/api`] : [own, `${own}/api`];
}

/** True if what is sent to an address can be read on its way. */
export function isSentInTheClear(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !LOCAL_HOSTS.test(hostname);
}
