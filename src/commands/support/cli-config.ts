import { Config } from '@oclif/core/config';
import type { Options } from '@oclif/core/interfaces';
import type { Terminal } from './terminal.js';

/** oclif's configuration, carrying the terminal to the commands made with it. */
export class CliConfig extends Config {
  readonly terminal: Terminal;

  constructor(options: Options, terminal: Terminal) {
    super(options);
    this.terminal = terminal;
  }
}
