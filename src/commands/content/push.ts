import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { dryRunFlag } from '../../cli/flags.js';
import {
  conflictChoice,
  conflictFlags,
  deleteFlag,
  describeDeleted,
  describeMissing,
  describeUnmerged,
  fileTypesArgument,
  fileUpdates,
  planChanges,
  printFileUpdates,
  printPlan,
  typesWithFiles,
} from '../../cli/content/content-files.js';
import { assertReleaseFolder, releaseChanges, saveRelease } from '../../cli/releases.js';
import { withAdministration } from '../../cli/administration.js';
import { openMedia } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import type { Progress } from '../../cli/terminal/progress.js';
import { stopOnSignal } from '../../cli/terminal/signals.js';
import { applyPlan } from '../../transfer/files/apply-plan.js';
import { openBases } from '../../transfer/files/base-files.js';
import { conflictError, markPlan, writeConflicts } from '../../transfer/files/conflict-files.js';
import { finishFiles } from '../../transfer/files/mark-files.js';
import { planPush } from '../../transfer/files/plan.js';
import type { Plan } from '../../transfer/files/plan.js';
import { readFolder } from '../../transfer/files/read-folder.js';
import { readReleaseFile } from '../../transfer/files/release-file.js';
import type { MediaTarget } from '../../transfer/files/push-media.js';
import { planMediaPush } from '../../transfer/files/push-media.js';
import type { ContentStore } from '../../transfer/store/content-store.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { countNoun } from '../../lib/text.js';

const stoppedPush = (done: number, total: number): Error =>
  createError('cli/stopped', {
    work: 'The push',
    done: `${done} of ${countNoun(total, 'change')}`,
    remedy: done === 0 ? 'Nothing was written.' : 'What was written stays. Run the command again to finish.',
  });

export default class ContentPush extends BaseCommand<typeof ContentPush> {
  static override summary = 'Apply content files to the database.';
  static override description =
    'Prints the plan and asks for confirmation. Merges changes of the database since the last pull or ' +
    'push, and marks conflicts in the files. Writes each file in one transaction. Run an interrupted push ' +
    'again to finish it. In the folder of a release, saves drafts and updates the release.';
  static override examples = ['<%= config.bin %> <%= command.id %> article --from content --dry-run'];
  static override args = fileTypesArgument;
  static override flags = {
    from: Flags.string({
      default: 'content',
      description: 'Folder of content files.',
      helpValue: '<folder>',
    }),
    atomic: Flags.boolean({ description: 'Write all files in one transaction.' }),
    delete: deleteFlag,
    ...conflictFlags,
    ...remoteFlag,
    ...dryRunFlag,
  };
  static override completion = { types: 'type', from: 'path' } as const;

  async run(): Promise<Outcome> {
    const { args, flags } = this;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    this.info(await describeTarget(project));
    const root = resolve(this.terminal.cwd, flags.from);
    const types = await typesWithFiles(project.model, args.types, root);
    const files = await readFolder(root, types);
    const release = await readReleaseFile(root);
    if (release !== null) assertReleaseFolder(release, files, flags);
    const opening = { isDryRun: flags['dry-run'], warn: this.messages.warn };
    const pushed = await openMedia(project, opening, async ({ content, media }) => {
      const folder = await openBases(content, types, { root, isDryRun: flags['dry-run'] });
      const plan = await planPush(content, types, files, {
        media: await planMediaPush(media, project.model, root),
        merging: release === null ? { folder, choice: conflictChoice(flags), deletes: flags.delete } : null,
        savesDrafts: release !== null,
      });
      await this.#assertMerged(content, plan);
      const shown = release === null ? plan : { ...plan, missing: [] };
      return { plan, outcome: await this.#push(content, shown, { media, model: project.model, root }) };
    });
    if (release === null || flags['dry-run']) return pushed.outcome;
    const changes = releaseChanges(release, pushed.plan);
    const saved = await withAdministration(project, this.messages.warn, ({ releases }) =>
      saveRelease(releases, release.name, changes),
    );
    this.info(`The release ${saved.name} has ${countNoun(saved.items, 'change')}.`);
    return pushed.outcome;
  }

  /** Rejects a plan with conflicts, and marks them in the files. */
  async #assertMerged(store: ContentStore, plan: Plan): Promise<void> {
    const marked = await markPlan(store, plan);
    if (marked.length === 0 || plan.merging === null) return;
    const isMarked = !this.flags['dry-run'];
    if (isMarked) await writeConflicts(store, plan.merging.folder, marked);
    throw conflictError(
      marked.flatMap(({ conflicts }) => conflicts),
      isMarked,
    );
  }

  async #push(store: ContentStore, plan: Plan, target: MediaTarget): Promise<Outcome> {
    const { flags } = this;
    const isDryRun = flags['dry-run'];
    const changes = planChanges(plan, flags.delete);
    const updates = fileUpdates(plan);
    const json = { changes, files: updates, ...(isDryRun ? { dryRun: true } : {}) };
    if (!flags.delete) this.info(describeMissing(plan));
    for (const message of [describeUnmerged(plan), describeDeleted(plan)]) this.info(message);
    if (changes.length === 0 && updates.length === 0) {
      if (!isDryRun) await finishFiles(store, target.root, plan);
      return { json, text: 'Nothing to push.' };
    }
    for (const text of [printPlan(plan, changes), printFileUpdates(updates)]) this.info(text);
    const count = countNoun(changes.length, 'change');
    const files = updates.length === 0 ? '' : countNoun(updates.length, 'file');
    if (!isDryRun) await this.confirm(`Write ${count}${files === '' ? '' : ` and update ${files}`}?`);
    await this.#apply(store, plan, { ...target, total: changes.length });
    const [wrote, updated] = isDryRun ? ['Would write', 'Would update'] : ['Wrote', 'Updated'];
    return { json, text: `${wrote} ${count}.${files === '' ? '' : ` ${updated} ${files}.`}` };
  }

  /** Applies the plan. On a signal, stops after the current file. */
  async #apply(
    store: ContentStore,
    plan: Plan,
    { total, ...target }: MediaTarget & { readonly total: number },
  ): Promise<void> {
    const { flags } = this;
    const isKept = !flags.atomic && !flags['dry-run'];
    const done = new Set<string>();
    const work = ({ update }: Progress, signal: AbortSignal): Promise<void> =>
      applyPlan(store, plan, {
        ...target,
        isDryRun: flags['dry-run'],
        deletes: flags.delete,
        isAtomic: flags.atomic,
        onDone: (path) => {
          done.add(path);
          update(`${done.size} of ${total}`);
          if (signal.aborted) throw stoppedPush(isKept ? done.size : 0, total);
        },
        onReverted: (path) => done.delete(path),
      });
    try {
      await this.progress(flags['dry-run'] ? 'Checking' : 'Pushing', (progress) =>
        stopOnSignal((signal) => work(progress, signal)),
      );
    } catch (error) {
      const isStopped = isGalleyError(error) && error.code === 'cli/stopped';
      const written = isStopped ? 'Written' : 'Written before the error';
      const uploads = new Set(plan.media.changes.map(({ path }) => path));
      const kept = [...done].filter((path) => isKept || uploads.has(path));
      if (!flags['dry-run'] && kept.length > 0) this.info(`${written}: ${kept.join(', ')}.`);
      throw error;
    }
  }
}
