import { instanceFacts, settings } from '../../../local/world/certificates/facts.ts';
import { now } from '../../../local/world/certificates/requests.ts';
import type { CertificateRequest } from '../../../shared/certificates/certificate-request.ts';
import { conclude, judge } from '../../../shared/certificates/decide.ts';
import { readRequest } from '../../../shared/certificates/read-request.ts';
import type { DecisionInput, Rival, Verdict } from '../../../shared/certificates/verdict.ts';

/** The verdict on a request beside these facts, or those of a launched instance without a Node. */
export const verdictOn = (
  request: CertificateRequest,
  { rivals = [], ...facts }: Partial<DecisionInput> & { readonly rivals?: readonly Rival[] } = {},
): Verdict =>
  conclude(
    judge({
      request,
      read: () => readRequest(request.pem),
      instances: [instanceFacts()],
      node: undefined,
      settings,
      now,
      ...facts,
    }),
    rivals,
  );
