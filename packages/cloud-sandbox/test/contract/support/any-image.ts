import { DescribeImagesCommand, type EC2Client } from '@aws-sdk/client-ec2';

/** The id of an image that the emulator has. It lists some hundred, which takes seconds: it is asked once. */
export function anyImage(): (client: EC2Client) => Promise<string> {
  let found: Promise<string> | undefined;
  return (client) => {
    found ??= ask(client);
    return found;
  };
}

async function ask(client: EC2Client): Promise<string> {
  const { Images = [] } = await client.send(new DescribeImagesCommand({}));
  const id = Images[0]?.ImageId;
  if (id === undefined) throw new Error('the emulator has no image');
  return id;
}
