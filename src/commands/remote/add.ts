import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { readSecret } from '../../cli/prompts/secret.js';
import { describeServer, findToken, warnOfClearText } from '../../cli/project/command-target.js';
import { createError } from '../../errors/catalogue.js';
import { findApi } from '../../transfer/remote/about-remote.js';
import {
  apiAddresses,
  assertRemoteName,
  loadRemotes,
  saveRemotes,
  tokenVariable,
} from '../../transfer/remote/remotes.js';

export default class RemoteAdd extends BaseCommand<typeof RemoteAdd> {
  static override summary = 'Add a remote server with its URL and a token.';
  static override description =
    'Checks the connection first. Stores the URL and the token in .galley/remotes.json, which only ' +
    'you can read and git ignores. A token in CMS_REMOTE_<NAME>_TOKEN is also used, but not stored.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> production https://cms.example.com --token-file token.txt ' +
      '--no-check',
  ];
  static override args = {
    name: Args.string({ required: true, description: 'Name of the remote: production.' }),
    url: Args.string({ required: true, description: 'URL of the server, or of its API.' }),
  };
  static override flags = {
    token: Flags.string({
      description: 'Token: only "-" is allowed, which reads it from standard input.',
      exclusive: ['token-file'],
      helpValue: '-',
    }),
    'token-file': Flags.string({ description: 'Read the token from a file.', helpValue: '<file>' }),
    check: Flags.boolean({ allowNo: true, default: true, description: 'Check the connection first.' }),
    force: Flags.boolean({ description: 'Replace an existing remote of that name.' }),
    ...dryRunFlag,
  };
  static override completion = { 'token-file': 'path' } as const;

  async run(): Promise<Outcome> {
    const { name, url: address } = this.args;
    assertRemoteName(name);
    const addresses = apiAddresses(address);
    const known = await loadRemotes(this.projectRoot);
    const existing = known.find((remote) => remote.name === name);
    if (existing !== undefined && !this.flags.force)
      throw createError('remote/exists', { name, url: existing.url });
    warnOfClearText(addresses[0], this.messages);
    const { kept, token } = await this.#token(name);
    const { url, about } = this.flags.check
      ? await findApi({ name, token, onWait: (message) => this.info(message) }, addresses)
      : { url: addresses[0], about: null };
    const isDryRun = this.flags['dry-run'];
    const others = known.filter((remote) => remote.name !== name);
    if (!isDryRun) await saveRemotes(this.projectRoot, [...others, { name, url, token: kept }]);
    if (about !== null) this.info(describeServer(about));
    return {
      json: {
        name,
        url,
        token: kept === null ? 'environment' : 'file',
        version: about?.version ?? null,
        ...(isDryRun ? { dryRun: true } : {}),
      },
      text: `${isDryRun ? 'Would add' : 'Added'} ${name}: ${url}`,
    };
  }

  /** Returns the token. A token of the environment is used but not stored (`kept` is null). */
  async #token(name: string): Promise<{ readonly kept: string | null; readonly token: string }> {
    const { token: flag, 'token-file': file } = this.flags;
    const variable = tokenVariable(name);
    if (flag !== undefined && flag !== '-') throw createError('remote/token-in-arguments', { variable });
    const ofEnvironment =
      flag === undefined && file === undefined
        ? await findToken(this.projectRoot, { name, url: '', token: null })
        : null;
    if (ofEnvironment !== null) return { kept: null, token: ofEnvironment };
    const token = (
      await readSecret(this.terminal, this.prompter, {
        name: 'token',
        message: `Token for ${name}:`,
        flags: this.flags,
      })
    ).trim();
    return { kept: token, token };
  }
}
