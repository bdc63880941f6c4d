package dev.paceline.okhttp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ServerSocketFactory;

/**
 * Server sockets whose connections have TCP_NODELAY. MockWebServer writes headers and body apart,
 * so without it each response with a body waits some 44 ms for a delayed acknowledgement.
 */
final class NoDelaySockets extends ServerSocketFactory {

  @Override
  public ServerSocket createServerSocket() throws IOException {
    return new NoDelay();
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return new NoDelay(port, 50, null);
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog) throws IOException {
    return new NoDelay(port, backlog, null);
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog, InetAddress address)
      throws IOException {
    return new NoDelay(port, backlog, address);
  }

  private static final class NoDelay extends ServerSocket {

    NoDelay() throws IOException {}

    NoDelay(int port, int backlog, InetAddress address) throws IOException {
      super(port, backlog, address);
    }

    @Override
    public Socket accept() throws IOException {
      Socket socket = super.accept();
      socket.setTcpNoDelay(true);
      return socket;
    }
  }
}
