/** The command line that makes a page of this machine visible on another one. The port must be the same on both. */
export function sshTunnel(address: string): string {
  const { port } = new URL(address)
  return `ssh -L ${port}:127.0.0.1:${port} HOST`
}
