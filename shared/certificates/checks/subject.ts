import { signers } from '../certificate-request.ts';
import type { Case } from '../decision-input.ts';
import { type CheckAnswer, deny } from '../verdict.ts';
import { nodeUserPrefix } from './form.ts';

/** A node asks for its own name only, and only a node asks for a serving certificate. */
export function subjectCheck({ request, read, requester }: Case): CheckAnswer {
  if (requester.kind === 'node')
    return read.commonName === `${nodeUserPrefix}${requester.nodeName}`
      ? undefined
      : deny(`node ${requester.nodeName} asks for the name of another: ${read.commonName}`);
  return request.signerName === signers.serving
    ? deny(
        'a serving certificate is asked for with the certificate of the node itself, not with a bootstrap credential',
      )
    : undefined;
}
