import type { Command } from '@oclif/core/command';
import { BaseCommand } from '../base-command.js';
import { openSchemaEdits } from './schema-edit-session.js';
import type { SchemaEditSession } from './schema-edit-session.js';
import type { SchemaFlagValues } from '../arguments/flags.js';

/** The base class of commands that change schema files. They declare `schemaFlags`. */
export abstract class SchemaCommand<T extends typeof Command> extends BaseCommand<T> {
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
