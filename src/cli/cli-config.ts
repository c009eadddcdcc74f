import { Config } from '@oclif/core/config';
import type { Options } from '@oclif/core/interfaces';
import type { Terminal } from './terminal/terminal.js';

/** oclif's configuration with the terminal that commands read from and print to. */
export class CliConfig extends Config {
  readonly terminal: Terminal;

  constructor(options: Options, terminal: Terminal) {
    super(options);
    this.terminal = terminal;
  }
}
