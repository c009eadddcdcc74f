import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.js';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { dryRunFlag } from '../../cli/flags.js';
import {
  conflictChoice,
  conflictFlags,
  fileTypes,
  fileTypesArgument,
} from '../../cli/content/content-files.js';
import { pulledRelease } from '../../cli/releases.js';
import { readMedia } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { eachUntilStopped } from '../../cli/terminal/signals.js';
import { conflictError } from '../../transfer/files/conflict-files.js';
import { withLockedFiles } from '../../transfer/files/mark-files.js';
import { finishPull, planPull, pullSteps } from '../../transfer/files/plan-pull.js';
import type { PullOptions, PullPlan, PullStep } from '../../transfer/files/plan-pull.js';
import { countNoun } from '../../lib/text.js';
import type { ContentStore } from '../../transfer/store/content-store.js';

/** Describes files that are not merged, and removed files. */
const describePull = ({ unmerged, absent }: PullPlan): readonly string[] => {
  const files = countNoun(unmerged, 'changed file has', 'changed files have');
  const documents = countNoun(absent, 'document has', 'documents have');
  return [
    ...(unmerged === 0 ? [] : [`${files} no base of this database, so the pull does not merge edits.`]),
    ...(absent === 0 ? [] : [`${documents} no file any more. --overwrite writes removed files again.`]),
  ];
};

const printPull = ({ created, updated, removed, copies, merged }: PullPlan): string =>
  [
    ...copies.map(({ path }) => `copy ${path}`),
    ...created.map(({ path }) => `create ${path}`),
    ...updated.map(({ path }) => `${merged.includes(path) ? 'merge' : 'update'} ${path}`),
    ...removed.map((path) => `remove ${path}`),
  ].join('\n');

export default class ContentPull extends BaseCommand<typeof ContentPull> {
  static override summary = 'Write content to files, one for each document and locale.';
  static override description =
    'Asks for confirmation before it changes or removes files. Merges edits of files since the last pull ' +
    'or push, and marks conflicts.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article --to content',
    '<%= config.bin %> <%= command.id %> --release spring',
  ];
  static override args = fileTypesArgument;
  static override flags = {
    to: Flags.string({
      description: 'Folder to write to. [default: content, or releases/<name> with --release]',
      helpValue: '<folder>',
    }),
    release: Flags.string({
      description: 'Write only the drafts of this release, and a file that describes it.',
      helpValue: '<name>',
      exclusive: ['ours', 'theirs'],
    }),
    media: Flags.boolean({
      default: true,
      allowNo: true,
      description: 'Also write the uploaded files that documents use.',
    }),
    ...conflictFlags,
    overwrite: Flags.boolean({
      description: 'Replace edited files, and write removed ones again.',
      exclusive: ['ours', 'theirs'],
    }),
    ...remoteFlag,
    ...dryRunFlag,
  };
  static override completion = { types: 'type', to: 'path' } as const;

  async run(): Promise<Outcome> {
    const { args, flags } = this;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const types = fileTypes(project.model, args.types);
    const { release: name } = flags;
    const release = name === undefined ? undefined : await pulledRelease(project, this.messages.warn, name);
    const folder = flags.to ?? (name === undefined ? 'content' : `releases/${name}`);
    const root = resolve(this.terminal.cwd, folder);
    return readMedia(project, async ({ content, media }) => {
      const isWhole = (args.types ?? []).length === 0;
      const options = {
        root,
        types,
        media: flags.media ? media : null,
        isWhole,
        isDryRun: flags['dry-run'],
        choice: conflictChoice(flags),
        overwrites: flags.overwrite || release !== undefined,
        ...(release === undefined ? {} : { release }),
      };
      return this.#pull(content, await planPull(content, options), options);
    });
  }

  async #pull(store: ContentStore, plan: PullPlan, options: PullOptions): Promise<Outcome> {
    const { created, updated, removed, copies, unchanged, merged, conflicts } = plan;
    const isDryRun = this.flags['dry-run'];
    const lost = [...updated.map(({ path }) => path), ...removed];
    const [first = ''] = lost;
    const rest = lost.length > 1 ? ` and ${countNoun(lost.length - 1, 'other')}` : '';
    for (const message of describePull(plan)) this.info(message);
    if (!isDryRun && lost.length > 0) await this.confirm(`Change or remove ${first}${rest}?`);
    if (!isDryRun) await this.#write(store, plan, options);
    if (conflicts.length > 0) throw conflictError(conflicts, !isDryRun);
    this.info(`${countNoun(unchanged, 'file stays as it is', 'files stay as they are')}.`);
    return {
      json: {
        created: created.map(({ path }) => path),
        updated: updated.map(({ path }) => path),
        removed,
        copied: copies.map(({ path }) => path),
        merged,
        unchanged,
        ...(isDryRun ? { dryRun: true } : {}),
      },
      text: printPull(plan),
    };
  }

  async #write(store: ContentStore, plan: PullPlan, options: PullOptions): Promise<void> {
    const steps = pullSteps(store, plan, options);
    if (steps.length > 0) await withLockedFiles(options.root, () => this.#run(steps));
    await finishPull(store, plan);
  }

  /** Writes the files. On a signal, stops after the current file. */
  async #run(steps: readonly PullStep[]): Promise<void> {
    const words = { work: 'The pull', items: 'files', remedy: () => 'Run the command again to finish.' };
    await this.progress('Pulling', (progress) =>
      eachUntilStopped(steps, words, async ({ path, run }, index) => {
        progress.update(`${index + 1} of ${steps.length}: ${path}`);
        await run();
      }),
    );
  }
}
