import { readTokenVariable } from '../../config/remote-token.js';
import { createError } from '../../errors/catalogue.js';
import { isSentInTheClear } from '../../transfer/remote/address.js';
import { tokenVariable } from '../../transfer/remote/remote.js';
import type { Remote } from '../../transfer/remote/remote.js';
import { loadRemotes, requireRemote } from '../../transfer/remote/remotes-file.js';
import type { RemoteAccess } from '../../transfer/remote/send.js';

/** The functions that print messages about the connection to a server. */
export interface RemoteMessages {
  readonly warn: (message: string) => void;
  readonly info: (message: string) => void;
}

/** Warns where a token can be read on its way. */
export function warnOfClearText(url: string, { warn }: Pick<RemoteMessages, 'warn'>): void {
  if (isSentInTheClear(url))
    warn(`${url} has no TLS: whoever is on the way to it can read the token and the content.`);
}

/** Returns the token of a remote: that of the environment, or else that which is kept. Null: none. */
export async function findToken(root: string, { name, token }: Remote): Promise<string | null> {
  return (await readTokenVariable(root, tokenVariable(name))) ?? token;
}

/**
 * Returns what requests to a remote need.
 *
 * @throws `remote/unknown`, `remote/no-token`, `remote/readable-by-others`, `remote/invalid-file`
 */
export async function openRemote(
  root: string,
  name: string,
  messages: RemoteMessages,
): Promise<RemoteAccess> {
  const remote = requireRemote(await loadRemotes(root), name);
  const { url } = remote;
  const token = await findToken(root, remote);
  if (token === null) throw createError('remote/no-token', { name, url, variable: tokenVariable(name) });
  warnOfClearText(url, messages);
  return { name, url, token, onWait: messages.info };
}
