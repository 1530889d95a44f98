/** Real ports on the loopback address. */

export { startAwsServer } from '../aws/wire/server.ts';
export { answerHttpApi } from './http-api-door.ts';
export { type HttpDoor, openHttpDoor } from './http-door.ts';
export { openAtOrNear } from './ports.ts';
export { type PrivateFiles, writePrivateFiles } from './private-files.ts';
export { readBody } from './read-body.ts';
