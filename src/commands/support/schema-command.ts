import type { Command } from '@oclif/core/command';
import { BaseCommand } from '../base.js';
import { openEdits } from './schema-change.js';
import type { SchemaEdits } from './schema-change.js';
import type { SchemaFlagValues } from './schema-flags.js';

/** A command that changes schema files; it declares `schemaFlags`. */
export abstract class SchemaCommand<T extends typeof Command> extends BaseCommand<T> {
  protected openEdits(): Promise<SchemaEdits> {
    return openEdits({
      root: this.projectRoot,
      flags: this.flags as unknown as SchemaFlagValues,
      info: (text) => this.info(text),
      warn: (text) => {
        this.warn(text);
      },
      progress: (label, work) => this.progress(label, work),
      acceptLoss: (losses) => this.acceptLoss(losses),
    });
  }
}
