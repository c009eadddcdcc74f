import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.js';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import {
  conflictChoice,
  conflictFlags,
  conflictValues,
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
import { readMedia } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { openBases } from '../../transfer/files/base-files.js';
import { markPlan } from '../../transfer/files/conflict-files.js';
import { planMediaPush } from '../../transfer/files/push-media.js';
import { planPush } from '../../transfer/files/plan.js';
import { readFolder } from '../../transfer/files/read-folder.js';

export default class ContentDiff extends BaseCommand<typeof ContentDiff> {
  static override summary = 'Show the changes that cms content push would make.';
  static override description = 'Prints each document with its values before and after.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --from content --exit-code',
    '<%= config.bin %> <%= command.id %> --from content --delete',
  ];
  static override args = fileTypesArgument;
  static override flags = {
    from: Flags.string({
      default: 'content',
      description: 'Folder of content files.',
      helpValue: '<folder>',
    }),
    delete: deleteFlag,
    ...conflictFlags,
    'exit-code': Flags.boolean({ description: 'Exit with code 1 if a push would change something.' }),
    ...remoteFlag,
  };
  static override completion = { types: 'type', from: 'path' } as const;

  async run(): Promise<Outcome> {
    const { args, flags } = this;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const root = resolve(this.terminal.cwd, flags.from);
    const types = await typesWithFiles(project.model, args.types, root);
    const files = await readFolder(root, types);
    const { plan, marked } = await readMedia(project, async ({ content, media }) => {
      const folder = await openBases(content, types, { root, isDryRun: true });
      const planned = await planPush(content, types, files, {
        media: await planMediaPush(media, project.model, root),
        merging: { folder, choice: conflictChoice(flags), deletes: flags.delete },
      });
      return { plan: planned, marked: await markPlan(content, planned) };
    });
    const changes = planChanges(plan, flags.delete);
    const updates = fileUpdates(plan);
    const conflicts = conflictValues(marked.flatMap((one) => one.conflicts));
    if (!flags.delete) this.info(describeMissing(plan));
    for (const message of [describeUnmerged(plan), describeDeleted(plan)]) this.info(message);
    const lines = conflicts.map(({ file, line, attribute }) => `conflict ${file}:${line}: ${attribute}`);
    const count = changes.length + updates.length + conflicts.length;
    return {
      json: { changes, files: updates, conflicts },
      text: [printPlan(plan, changes), printFileUpdates(updates), ...lines]
        .filter((line) => line !== '')
        .join('\n'),
      exitCode: flags['exit-code'] && count > 0 ? 1 : 0,
    };
  }
}
