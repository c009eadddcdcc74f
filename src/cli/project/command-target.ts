/**
 * The folder project opens the project of a command: its content here, its app in with-app.ts, a new one in
 * project-setup.ts.
 */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { readTokenVariable } from '../../config/project-root.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { redactUrl } from '../../lib/text.js';
import type { ContentModel } from '../../model/model.js';
import { compareSchemas, outlineModel } from '../../model/outline.js';
import type { SchemaDifference } from '../../model/outline.js';
import { openProject } from '../../project/open/open-project.js';
import type { Project } from '../../project/open/open-project.js';
import type { RemoteAbout } from '../../transfer/remote/about-remote.js';
import {
  isUnencryptedAddress,
  loadRemotes,
  requireRemote,
  tokenVariable,
} from '../../transfer/remote/remotes.js';
import type { Remote } from '../../transfer/remote/remotes.js';
import type { RemoteAccess } from '../../transfer/remote/send.js';

/** The functions that print messages about the connection to a server. */
interface RemoteMessages {
  readonly warn: (message: string) => void;
  readonly info: (message: string) => void;
  /** The name of the command, for the log of writes. */
  readonly command?: string;
}

/** Warns if the token is sent without TLS. */
export function warnOfClearText(url: string, { warn }: Pick<RemoteMessages, 'warn'>): void {
  if (isUnencryptedAddress(url))
    warn(`${url} has no TLS. Others on the network can read the token and the content.`);
}

/** Returns the token of a remote, from the environment or from the stored file. Null if there is none. */
export async function findToken(root: string, { name, token }: Remote): Promise<string | null> {
  return (await readTokenVariable(root, tokenVariable(name))) ?? token;
}

/**
 * Returns the address and the token of a remote.
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

/** For commands that work with the content of the project's database or of a remote server. */
export const remoteFlag = {
  remote: Flags.string({
    description: 'Remote server to work with, as added by cms remote add.',
    helpValue: '<name>',
  }),
};

/** A project, and the location of its content. */
export interface ContentProject extends Project {
  /** A remote server. Absent for the project's database. */
  readonly remote?: { readonly access: RemoteAccess; readonly warn: RemoteMessages['warn'] };
  /** The locale of the command, which must exist. */
  readonly locale?: string;
}

/** The flags that select the content of a command. */
interface ContentFlags {
  readonly remote?: string | undefined;
  readonly locale?: string | undefined;
}

/**
 * Opens a project for work with its content, or with the content of the server in `--remote`. The locale is
 * checked when the content is opened.
 *
 * @throws the errors of `openProject` and `openRemote`
 */
export async function openContentProject(
  root: string,
  { remote: name, locale }: ContentFlags,
  messages: RemoteMessages,
): Promise<ContentProject> {
  const { command } = messages;
  const project = { ...(await openProject(root, { command })), ...(locale === undefined ? {} : { locale }) };
  if (name === undefined) return project;
  const access = await openRemote(root, name, messages);
  return Object.freeze({ ...project, remote: { access, warn: messages.warn } });
}

const projectName = async (root: string): Promise<string> => {
  const manifest = await readFile(join(root, 'package.json'), 'utf8')
    .then((text): unknown => JSON.parse(text))
    .catch(() => null);
  return isRecord(manifest) && typeof manifest['name'] === 'string' ? manifest['name'] : basename(root);
};

/**
 * Describes the project and database that a command changes:
 * `Project my-site, database postgresql://cms:***@localhost/site`, or the remote server.
 */
export async function describeTarget({ root, config, remote }: ContentProject): Promise<string> {
  if (remote !== undefined) return `Remote ${remote.access.name}, ${remote.access.url}`;
  return `Project ${await projectName(root)}, database ${redactUrl(config.database.url)}`;
}

const TOKEN_RIGHTS: Readonly<Record<string, string>> = {
  'full-access': 'may read and write everything',
  'read-only': 'may read',
};

/** Describes a server and the permissions of the token, in one or two sentences. */
export function describeServer({ version, token, locales }: RemoteAbout): string {
  const codes = locales.map(({ code, isDefault }) => (isDefault ? `${code} (default)` : code)).join(', ');
  const server = `The server has version ${version} and the locales ${codes}.`;
  if (token === null) return server;
  const expiry = token.expiresAt === null ? '' : ` until ${token.expiresAt.slice(0, 10)}`;
  const rights = TOKEN_RIGHTS[token.type] ?? `is of type ${token.type}`;
  return `${server} The token ${token.name} ${rights}${expiry}.`;
}

/**
 * Compares the types and components of a project with those of a server, including those that only the server
 * has.
 */
export function schemaDifferences(
  model: ContentModel,
  { schemas }: RemoteAbout,
): readonly SchemaDifference[] {
  const local = outlineModel(model);
  const onlyThere = Object.keys(schemas)
    .filter((uid) => !Object.hasOwn(local, uid))
    .map((uid) => ({ uid, reasons: ['it exists only on the server'], isFundamental: true }));
  const others = Object.entries(local).flatMap(([uid, outline]) => {
    const difference = compareSchemas(uid, outline, schemas[uid]);
    return difference === null ? [] : [difference];
  });
  return [...others, ...onlyThere];
}

/** `api::lamp.lamp: price is missing there.` */
export function describeDifference({ uid, reasons }: SchemaDifference): string {
  return `${uid}: ${reasons.join(', ')}.`;
}
