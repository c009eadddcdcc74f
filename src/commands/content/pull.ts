import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/arguments/flags.js';
import { fileTypes, fileTypesArgument } from '../../cli/content/file-types.js';
import { readContent } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { planPull, writePull } from '../../content-files/plan-pull.js';
import type { PullPlan } from '../../content-files/plan-pull.js';

const printPull = ({ created, updated, removed }: PullPlan): string =>
  [
    ...created.map(({ path }) => `create ${path}`),
    ...updated.map(({ path }) => `update ${path}`),
    ...removed.map((path) => `remove ${path}`),
  ].join('\n');

export default class ContentPull extends BaseCommand<typeof ContentPull> {
  static override description =
    'Write content into files, one for each document and locale. Asks before it changes or removes files.';
  static override examples = ['<%= config.bin %> <%= command.id %> article --to content'];
  static override args = fileTypesArgument;
  static override flags = {
    to: Flags.string({ default: 'content', description: 'The folder.', helpValue: '<folder>' }),
    ...dryRunFlag,
  };
  static override completion = { types: 'type', to: 'path' } as const;

  async run(): Promise<Outcome> {
    const { args, flags } = this;
    const project = await openProject(this.projectRoot);
    const types = fileTypes(project.model, args.types);
    const root = resolve(this.terminal.cwd, flags.to);
    const plan = await readContent(project, (store) => planPull(store, root, types));
    const { created, updated, removed, unchanged } = plan;
    const isDryRun = flags['dry-run'];
    const lost = [...updated.map(({ path }) => path), ...removed];
    const [first = ''] = lost;
    const rest = lost.length > 1 ? ` and ${lost.length - 1} others` : '';
    if (!isDryRun && lost.length > 0) await this.confirm(`Change or remove ${first}${rest}?`);
    if (!isDryRun) await writePull(root, plan);
    this.info(`${unchanged} files stay as they are.`);
    return {
      json: {
        created: created.map(({ path }) => path),
        updated: updated.map(({ path }) => path),
        removed,
        unchanged,
        ...(isDryRun ? { dryRun: true } : {}),
      },
      text: printPull(plan),
    };
  }
}
