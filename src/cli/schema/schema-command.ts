import type { Command } from '@oclif/core/command';
import { BaseCommand } from '../base-command.js';
import type { ContentRename } from '../../migrations/content/content-decisions.js';
import type { NamedRename } from '../migrations/resolve-rename.js';
import type { Outcome } from '../outcome.js';
import { openSchemaEdits } from './schema-edit-session.js';
import type { SchemaCommitOptions, SchemaEditSession } from './schema-edit-session.js';
import type { SchemaFlagValues } from '../arguments/flags.js';

/** The base class of commands that change schema files. They declare `schemaFlags`. */
export abstract class SchemaCommand<T extends typeof Command> extends BaseCommand<T> {
  /**
   * Goes on with a rename whose command was killed after it had changed the files. Null: it has not changed
   * them.
   */
  protected async resumeRename(
    session: SchemaEditSession,
    named: NamedRename,
    describe: (rename: ContentRename) => Omit<SchemaCommitOptions, 'renames'>,
  ): Promise<Outcome | null> {
    const rename = await session.findInterrupted(named);
    if (rename === null) return null;
    this.info('The schema files have the new name already. Going on with the database.');
    return session.commit({ ...describe(rename), renames: [rename] });
  }

  protected openSchemaEdits(): Promise<SchemaEditSession> {
    return openSchemaEdits({
      root: this.projectRoot,
      flags: this.flags as unknown as SchemaFlagValues,
      info: (text) => this.info(text),
      warn: (text) => {
        this.warn(text);
      },
      progress: (label, work) => this.progress(label, work),
      confirmImpact: (impact) => this.confirmImpact(impact),
      terminal: this.terminal,
      canPrompt: this.canPrompt,
    });
  }
}
