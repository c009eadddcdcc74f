/**
 * The content types of a project by their UID. Empty here: the generated file types/server.d.ts of a project
 * adds its types.
 */
export interface ContentTypes {}

/** Other generated types of a project. Empty here, too: types/server.d.ts adds `prisma`. */
export interface ProjectTypes {}
