/** EC2 takes user data of 16 KB at most, before base64 (EC2 user guide, "Run commands when you launch an EC2 instance"). */
export const longestUserData = 16_384;
