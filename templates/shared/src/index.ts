import type { BootstrapContext, RegisterContext } from 'galley';

/** Runs before the routes are built. Take what you need: `{ fastify, documents, log }`. */
export const register = (_context: RegisterContext): void => {
  // A custom route:
  // fastify.get('/hello', async () => ({ hello: 'world' }));
  //
  // In the transaction of a write, before it is done. What throws here undoes it:
  // documents.before('create', ({ data }) => log.info({ data }, 'about to be created'));
  //
  // After a write is committed:
  // documents.after('publish', ({ type, documentId }) => log.info({ type, documentId }, 'published'));
};

/** Runs when everything works and requests are about to come. Take what you need: `{ documents, prisma }`. */
export const bootstrap = async (_context: BootstrapContext): Promise<void> => {
  // const count = await documents('api::article.article').count();
};
