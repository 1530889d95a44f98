import type { MetadataService } from '../aws/ec2/metadata-service.ts';
import { type HttpDoor, openHttpDoor } from './http-door.ts';

/** The address of the service on every instance; a client in a network namespace of its own calls it so. */
const ownAddress = '169.254.169.254';

/** The metadata service of one instance on a port: its URL is what AWS_EC2_METADATA_SERVICE_ENDPOINT takes. */
export const openMetadataDoor = (options: {
  readonly service: MetadataService;
  /** 0: any that is free. */
  readonly port: number;
  readonly onFault: (error: unknown) => void;
}): Promise<HttpDoor> =>
  openHttpDoor({
    port: options.port,
    onFault: options.onFault,
    isOwnName: (name) => name === ownAddress,
    answer: async (request, response) => {
      request.resume();
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const path = (request.url ?? '/').split('?')[0] ?? '/';
      const answer = options.service.handle({ method: request.method ?? 'GET', path, headers });
      response.writeHead(answer.status, { 'content-type': 'text/plain', ...answer.headers });
      response.end(request.method === 'HEAD' ? '' : answer.body);
    },
  });
