import { resolve } from 'node:path';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { createOpenapiDocument } from '../project/openapi-document.js';
import { openProject } from '../project/open/open-project.js';
import { writeText } from '../project/write-text.js';
import { BaseCommand } from '../cli/base-command.js';
import type { Outcome } from '../cli/outcome.js';
import { listStrapiRoutes } from '../strapi/list-routes.js';

export default class Openapi extends BaseCommand<typeof Openapi> {
  static override summary = 'Print the REST API as an OpenAPI 3.1 document.';
  static override description = 'Generators create API clients from it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> > openapi.json',
    '<%= config.bin %> <%= command.id %> openapi.yaml --yaml',
  ];
  static override args = {
    file: Args.string({ description: 'File to write. [default: standard output]' }),
  };
  static override flags = {
    yaml: Flags.boolean({ description: 'Write YAML instead of JSON.' }),
  };

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const document = createOpenapiDocument(project, await listStrapiRoutes(project));
    const text = this.flags.yaml
      ? (await import('yaml')).stringify(document, { aliasDuplicateObjects: false })
      : `${JSON.stringify(document, null, 2)}\n`;
    const { file } = this.args;
    if (file === undefined) return { json: document, text: text.trimEnd() };
    await writeText(resolve(this.terminal.cwd, file), text);
    return { json: { file }, text: `Wrote ${file}.` };
  }
}
