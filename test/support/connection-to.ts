import { sendHttp } from '../../shared/net/send-http.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';

/** Drover's connection to an emulator of AWS. */
export const connectionTo = ({ url }: { readonly url: string }) =>
  awsConnection({
    environment: { AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL: url },
    awsCredentials: () => ({ accessKeyId: 'x', secretAccessKey: 'x' }),
    sendHttp,
    clock: { now: () => Date.now() },
  });
