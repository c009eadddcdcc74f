import { isRecord } from '../../../lib/is-record.js';
import { hasErrorCode } from '../../../lib/error-code.js';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { PluginHost } from '../plugin-host.js';

type Message = Readonly<Record<string, unknown>>;

/** A package that sends messages, as config/plugins names it. */
export interface EmailProvider {
  readonly name: string;
  readonly settings: Message;
  readonly send: (message: Message) => Promise<unknown>;
}

/** Those that Galley itself sends with. */
const OWN: readonly unknown[] = [undefined, '', 'nodemailer', 'folder', '@strapi/provider-email-nodemailer'];

/** Null: the package is not installed. */
const resolveProvider = (root: string, name: string): string | null => {
  const { resolve } = createRequire(join(root, 'package.json'));
  for (const candidate of [`@strapi/provider-email-${name.toLowerCase()}`, name])
    try {
      return resolve(candidate);
    } catch (error) {
      if (!hasErrorCode(error, 'MODULE_NOT_FOUND') && !hasErrorCode(error, 'ERR_PACKAGE_PATH_NOT_EXPORTED'))
        throw error;
    }
  return null;
};

const initOf = (exported: unknown): unknown => {
  if (!isRecord(exported)) return undefined;
  return typeof exported['init'] === 'function' ? exported['init'] : initOf(exported['default']);
};

/** Opens the provider that config/plugins names. Null: messages are sent by Galley's own settings. */
export async function openEmailProvider({
  root,
  read,
  load,
  log,
}: PluginHost): Promise<EmailProvider | null> {
  const name = read('plugin::email.provider');
  if (OWN.includes(name) || typeof name !== 'string') return null;
  const file = resolveProvider(root, name);
  if (file === null) {
    log.warn(`The email provider ${name} is not installed: npm install @strapi/provider-email-${name}`);
    return null;
  }
  const init = initOf(await load(file));
  if (typeof init !== 'function') throw new TypeError(`The email provider ${name} has no function init.`);
  const settings = read('plugin::email.settings', {});
  const opened: unknown = await Reflect.apply(init, undefined, [
    read('plugin::email.providerOptions', {}),
    settings,
  ]);
  const send = isRecord(opened) ? opened['send'] : undefined;
  if (typeof send !== 'function') throw new TypeError(`The email provider ${name} has no function send.`);
  return {
    name,
    settings: isRecord(settings) ? settings : {},
    send: async (message) => Reflect.apply(send, opened, [message]) as unknown,
  };
}
