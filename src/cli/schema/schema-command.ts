import type { Command } from '@oclif/core/command';
import { BaseCommand } from '../base-command.js';
import { findMovedSchemas, readRename } from '../migrations/explicit-renames.js';
import type { RenamedSchema } from '../migrations/explicit-renames.js';
import type { Outcome } from '../outcome.js';
import { openSchemaEdits } from './schema-edit-session.js';
import type { SchemaCommitOptions, SchemaEditSession } from './schema-edit-session.js';
import type { SchemaFlagValues } from '../arguments/flags.js';

/** The base class of commands that change schema files. They declare `schemaFlags`. */
export abstract class SchemaCommand<T extends typeof Command> extends BaseCommand<T> {
  /**
   * Goes on with a rename whose command was killed after it had changed the files. Null: it has not changed
   * them.
   *
   * @param flag the rename, as `--rename` of `cms migrate` has it
   */
  protected async resumeRename(
    session: SchemaEditSession,
    flag: string,
    describe: (renamed: RenamedSchema) => Omit<SchemaCommitOptions, 'renames'>,
  ): Promise<Outcome | null> {
    const renamed = await session.findInterrupted(flag);
    if (renamed === null) return null;
    this.info('The schema files have the new name already. Going on with the database.');
    return session.commit({
      ...describe(renamed),
      renames: (models) => readRename(models, flag, findMovedSchemas(models, [flag])) ?? [],
    });
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
      confirmAccount: (account) => this.confirmAccount(account),
      terminal: this.terminal,
      canPrompt: this.canPrompt,
    });
  }
}
