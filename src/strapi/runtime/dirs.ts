import { join } from 'node:path';

interface ProjectDirectories {
  readonly root: string;
  readonly src: string;
  readonly api: string;
  readonly components: string;
  readonly extensions: string;
  readonly policies: string;
  readonly middlewares: string;
  readonly config: string;
}

/** The folders of a project. Code is not compiled into a folder of its own, so `app` and `dist` agree. */
export interface Directories {
  readonly app: ProjectDirectories;
  readonly dist: ProjectDirectories;
  readonly static: { readonly public: string };
}

/** Returns the folders of a project. */
export function createDirectories(root: string): Directories {
  const src = join(root, 'src');
  const app = {
    root,
    src,
    api: join(src, 'api'),
    components: join(src, 'components'),
    extensions: join(src, 'extensions'),
    policies: join(src, 'policies'),
    middlewares: join(src, 'middlewares'),
    config: join(root, 'config'),
  };
  return { app, dist: app, static: { public: join(root, 'public') } };
}
