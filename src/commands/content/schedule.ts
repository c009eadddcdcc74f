import * as Args from '@oclif/core/args';
import { BaseCommand } from '../../cli/base-command.js';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { readContent } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { printTable, printTime } from '../../cli/terminal/text-layout.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';

export default class ContentSchedule extends BaseCommand<typeof ContentSchedule> {
  static override summary = 'List scheduled publishing and unpublishing, earliest first.';
  static override description =
    'An action that failed stays in the list with the reason until it is scheduled again.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> article --json',
  ];
  static override args = {
    type: Args.string({ description: 'Content-type to list, such as article or api::article.article.' }),
  };
  static override flags = remoteFlag;
  static override completion = { type: 'type' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const name = this.args.type;
    const type = name === undefined ? undefined : resolveType(project.model.types, name).uid;
    const scheduled = await readContent(project, (store) => store.listScheduled({ type }));
    if (scheduled.length === 0) this.info('Nothing is scheduled. See: cms content publish --help');
    const text = printTable(
      scheduled,
      [
        { header: 'AT (UTC)', value: ({ at }) => printTime(at) },
        { header: 'ACTION', value: ({ action }) => action },
        { header: 'TYPE', value: (entry) => entry.type },
        { header: 'ID', value: ({ documentId }) => documentId },
        { header: 'LOCALE', value: ({ locale }) => locale ?? '' },
        { header: 'AUTHOR', value: ({ author }) => author ?? '' },
        { header: 'STATE', value: ({ error }) => (error === null ? 'waits' : this.style.red(error)) },
      ],
      this.style,
    );
    return { json: { scheduled }, text: scheduled.length === 0 ? '' : text };
  }
}
