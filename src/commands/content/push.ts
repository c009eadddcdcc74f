import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/arguments/flags.js';
import { fileTypesArgument, typesWithFiles } from '../../cli/content/file-types.js';
import { planChanges, printPlan } from '../../cli/content/print-plan.js';
import { openContent } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/describe-target.js';
import { applyPlan } from '../../content-files/apply-plan.js';
import { planPush } from '../../content-files/plan.js';
import type { Plan } from '../../content-files/plan.js';
import { readFolder } from '../../content-files/read-folder.js';
import type { ContentStore } from '../../content-store/content-store.js';

export default class ContentPush extends BaseCommand<typeof ContentPush> {
  static override description =
    'Make the database say what files say. Prints the plan and asks. Each file is one transaction; one ' +
    'that is interrupted can be run again and does the rest.';
  static override examples = ['<%= config.bin %> <%= command.id %> article --from content --dry-run'];
  static override args = fileTypesArgument;
  static override flags = {
    from: Flags.string({ default: 'content', description: 'The folder.', helpValue: '<folder>' }),
    atomic: Flags.boolean({ description: 'Write all files in one transaction.' }),
    delete: Flags.boolean({ description: 'Delete documents and locales that have no file.' }),
    ...dryRunFlag,
  };
  static override completion = { types: 'type', from: 'path' } as const;

  async run(): Promise<Outcome> {
    const { args, flags } = this;
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    const root = resolve(this.terminal.cwd, flags.from);
    const types = typesWithFiles(project.model, args.types, root);
    const files = await readFolder(root, types);
    const opening = { isDryRun: flags['dry-run'], warn: (message: string) => this.warn(message) };
    return openContent(project, opening, async (store) =>
      this.#push(store, root, await planPush(store, types, files)),
    );
  }

  async #push(store: ContentStore, root: string, plan: Plan): Promise<Outcome> {
    const { flags } = this;
    const isDryRun = flags['dry-run'];
    const changes = planChanges(plan, flags.delete);
    const json = { changes, ...(isDryRun ? { dryRun: true } : {}) };
    if (!flags.delete && plan.missing.length > 0)
      this.info(`${plan.missing.length} versions in the database have no file. --delete deletes them.`);
    if (changes.length === 0) return { json, text: 'Nothing to push.' };
    this.info(printPlan(changes));
    const count = changes.length === 1 ? '1 change' : `${changes.length} changes`;
    if (!isDryRun) await this.confirm(`Write ${count}?`);
    const done: string[] = [];
    try {
      await applyPlan(store, plan, {
        root,
        isDryRun,
        deletes: flags.delete,
        isAtomic: flags.atomic,
        onDone: (path) => done.push(path),
      });
    } catch (error) {
      const isKept = !flags.atomic && !isDryRun && done.length > 0;
      if (isKept) this.info(`Written before the error: ${[...new Set(done)].join(', ')}.`);
      throw error;
    }
    return { json, text: `${isDryRun ? 'Would write' : 'Wrote'} ${count}.` };
  }
}
