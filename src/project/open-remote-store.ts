import type { ContentStore } from '../transfer/store/content-store.js';
import { createRemoteMediaStore } from '../transfer/remote/remote-media-store.js';
import { createRemoteStore } from '../transfer/remote/remote-store.js';
import type { ContentModel } from '../model/model.js';
import { aboutRemote } from '../transfer/remote/about-remote.js';
import type { RemoteAccess } from '../transfer/remote/send.js';
import type { MediaStores } from './open-content-store.js';

/**
 * Returns the content of a remote server. Calls `warn` if the server's schemas differ.
 *
 * @throws what `aboutRemote` throws
 */
export async function remoteContentStore(
  model: ContentModel,
  access: RemoteAccess,
  warn: (message: string) => void,
): Promise<ContentStore> {
  return createRemoteStore({ model, access, about: await aboutRemote(access), warn });
}

/**
 * Returns the content of a remote server with its media library.
 *
 * @throws what `aboutRemote` throws
 */
export async function remoteMediaStores(
  model: ContentModel,
  access: RemoteAccess,
  warn: (message: string) => void,
): Promise<MediaStores> {
  const content = await remoteContentStore(model, access, warn);
  return { content, media: createRemoteMediaStore(access, content) };
}
