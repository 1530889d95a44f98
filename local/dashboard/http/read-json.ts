import type { IncomingMessage } from 'node:http';
import { readBody } from '@drover/cloud-sandbox/wire';
import { parseJson } from '../../../shared/base/parse-json.ts';

/** A button's request is some hundred bytes. */
const maximumBytes = 4096;

/** The body as JSON; undefined if it is not JSON, or too long. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, maximumBytes);
  return body && parseJson(body.toString('utf8'));
}
