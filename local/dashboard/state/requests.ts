import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import { undecidedOrDenied } from '../../../ui/server/views/request.ts';
import type { RequestView } from '../../../ui/state/types.ts';
import { requestView } from '../../story/request-view.ts';

/** The requests of kubelets that wait or were denied, the newest first. */
export const requestViews = (requests: readonly CertificateSigningRequest[]): readonly RequestView[] =>
  undecidedOrDenied(
    requests.map((request) => ({
      ...requestView(request),
      at: Date.parse(request.metadata?.creationTimestamp ?? ''),
    })),
  );
