import * as Flags from '@oclif/core/flags';
import { openProject } from '../../project/open-project.js';
import type { Project } from '../../project/open-project.js';
import type { RemoteAccess } from '../../transfer/remote/send.js';
import { openRemote } from '../remote/open-remote.js';
import type { RemoteMessages } from '../remote/open-remote.js';

/** For commands that work with content, of the project's own database or of a remote server. */
export const remoteFlag = {
  remote: Flags.string({
    description: 'Work with the content of a remote server, named by: cms remote add.',
    helpValue: '<name>',
  }),
};

/** A project, and where its content is. */
export interface ContentProject extends Project {
  /** A remote server. Absent: the project's own database. */
  readonly remote?: { readonly access: RemoteAccess; readonly warn: RemoteMessages['warn'] };
  /** The locale that the command names, which has to exist. */
  readonly locale?: string;
}

/** The flags that say which content a command works with. */
interface ContentFlags {
  readonly remote?: string | undefined;
  readonly locale?: string | undefined;
}

/**
 * Opens a project for work with its content, or with that of a server which `--remote` names. The locale is
 * checked when the content is opened.
 *
 * @throws what `openProject` and `openRemote` throw
 */
export async function openContentProject(
  root: string,
  { remote: name, locale }: ContentFlags,
  messages: RemoteMessages,
): Promise<ContentProject> {
  const project = { ...(await openProject(root)), ...(locale === undefined ? {} : { locale }) };
  if (name === undefined) return project;
  const access = await openRemote(root, name, messages);
  return Object.freeze({ ...project, remote: { access, warn: messages.warn } });
}
