import * as z from 'zod/mini';
import { parseJson } from '../../shared/base/parse-json.ts';
import type { HttpResponse } from '../../shared/net/http.ts';

/** What is known of the credentials that signed a request. */
export type SignedBy =
  | { readonly kind: 'unsigned' }
  /** STS knows the identity. */
  | { readonly kind: 'identity'; readonly arn: string }
  /** STS refuses the credentials too, in these words. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  /** STS could not be asked. */
  | { readonly kind: 'unknown' };

export interface GatewayRefusal {
  readonly response: Pick<HttpResponse, 'status' | 'body'>;
  /** Of the API. */
  readonly host: string;
  readonly region: string | undefined;
  readonly signedBy: SignedBy;
}

/** Whether something before the function refused a request: the scale API itself answers with a problem document. */
export const isGatewayRefusal = ({ status, body }: Pick<HttpResponse, 'status' | 'body'>): boolean =>
  (status === 401 || status === 403) && !isProblem(body);

const isProblem = (body: string): boolean =>
  z.safeParse(z.object({ type: z.string() }), parseJson(body)).success;

/** Why a request was refused before the scale API saw it, and the remedy. An HTTP API says `Forbidden` whatever the reason is. Pure. */
export function gatewayRefusalText(refusal: GatewayRefusal): string {
  const { response, host } = refusal;
  const said = wordsOf(response.body);
  if (response.status === 401)
    return `${host} asks for another sign-in than a signature of AWS (401): check --endpoint or DROVER_API_URL, which is the output HttpApiUrl of the deployment`;
  if (said === undefined)
    return `${host} rejected the request (403) with a response that is not from API Gateway: a proxy or a firewall may be in between; check --endpoint or DROVER_API_URL`;
  return `API Gateway refuses the request (403${said === 'Forbidden' ? '' : `, ${said}`}): ${remedyOf(refusal)}`;
}

function wordsOf(body: string): string | undefined {
  const parsed = z.safeParse(z.object({ message: z.string() }), parseJson(body));
  return parsed.success ? parsed.data.message : undefined;
}

function remedyOf({ host, region, signedBy }: GatewayRefusal): string {
  if (signedBy.kind === 'unsigned') return 'it is not signed; leave out --no-sign';
  const ofAddress = regionIn(host);
  if (ofAddress !== undefined && ofAddress !== region)
    return `it is signed for ${region}, and the address is of ${ofAddress}; leave out --region`;
  const signedFor = ofAddress === undefined ? ` Is ${region} its region? If not, give --region` : '';
  switch (signedBy.kind) {
    case 'refused':
      return `AWS does not accept the credentials (${signedBy.code}: ${signedBy.message.replace(/\.$/, '')}); ${credentialRemedy(signedBy)}`;
    case 'identity':
      return `${signedBy.arn} may not call it; allow this identity execute-api:Invoke on the API, in the account of the API.${signedFor}`.replace(
        /\.$/,
        '',
      );
    case 'unknown':
      return `check the credentials with aws sts get-caller-identity, and the permission execute-api:Invoke on the API.${signedFor}`.replace(
        /\.$/,
        '',
      );
  }
}

/** The message of AWS for a signature whose time is more than five minutes off (IAM user guide, "Troubleshoot Signature Version 4"). */
const clockIsWrong = /^Signature (?:expired|not yet current)/;

function credentialRemedy({ code, message }: Extract<SignedBy, { kind: 'refused' }>): string {
  if (code.startsWith('ExpiredToken'))
    return 'the session has expired: sign in again, such as with aws sso login';
  if (clockIsWrong.test(message)) return 'set the clock of this machine';
  return 'check AWS_PROFILE or --profile, or AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN';
}

/** The region that an address of API Gateway names; undefined for a domain of one's own. */
export const regionIn = (host: string): string | undefined => /\.execute-api\.([a-z0-9-]+)\./.exec(host)?.[1];
