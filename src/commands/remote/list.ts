import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { readTokenVariable } from '../../config/project-root.js';
import { loadRemotes, tokenVariable } from '../../transfer/remote/remotes.js';
import type { Remote } from '../../transfer/remote/remotes.js';
import { printTable } from '../../cli/terminal/text-layout.js';

export default class RemoteList extends BaseCommand<typeof RemoteList> {
  static override description = 'List remote servers and the location of their tokens.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<Outcome> {
    const remotes = await loadRemotes(this.projectRoot);
    if (remotes.length === 0) this.info('There are no remotes yet. Add one with: cms remote add');
    const listed = await Promise.all(
      remotes.map(async (remote) => ({
        name: remote.name,
        url: remote.url,
        token: await this.#placeOfToken(remote),
      })),
    );
    const text = printTable(
      listed,
      [
        { header: 'NAME', value: ({ name }) => name },
        { header: 'ADDRESS', value: ({ url }) => url },
        { header: 'TOKEN', value: ({ token }) => token ?? '–' },
      ],
      this.style,
    );
    return { json: listed, text };
  }

  async #placeOfToken({ name, token }: Remote): Promise<'environment' | 'file' | null> {
    if ((await readTokenVariable(this.projectRoot, tokenVariable(name))) !== null) return 'environment';
    return token === null ? null : 'file';
  }
}
